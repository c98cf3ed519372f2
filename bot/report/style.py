"""How a report looks: dark on light, one column on a telephone, whole blocks on paper, the reader's own fonts."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light; --ink: #1c2733; --soft: #55606c; --line: #d5dbe1; --answered: #1f5f99; --open: #e39b2d; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; color: var(--ink); background: #fff;
  font: 1rem/1.5 system-ui, "Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.15rem; }
p { margin: .25rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
section { margin-top: 2.25rem; break-inside: avoid; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; margin-top: 1.25rem; }
.tile { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem .9rem; break-inside: avoid; }
.tile .number { font-size: 1.75rem; font-weight: 600; line-height: 1.3; }
svg { display: block; width: 100%; }
.columns { height: 10rem; border-bottom: 2px solid var(--ink); border-top: 1px dashed var(--line); }
.ends { display: flex; justify-content: space-between; gap: 1rem; }
.answered { fill: var(--answered); } .abstained { fill: var(--open); }
.key { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: .15em; }
.key.of-answered { background: var(--answered); } .key.of-open { background: var(--open); margin-left: 1.2em; }
.strip { height: .9rem; min-width: 4rem; background: #f1f4f7; border-radius: .2rem; }
.outer { fill: #9cc0e2; } .inner { fill: var(--answered); }
table { width: 100%; margin-top: .5rem; border-collapse: collapse; }
th, td { padding: .35rem .5rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left;
  overflow-wrap: anywhere; }
th { font-size: .85rem; font-weight: 600; color: var(--soft); }
.count { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-left: .5rem; }
.chart { width: 45%; }
footer { margin-top: 2.5rem; }
@media (min-width: 52rem) {
  .tiles:has(> :nth-child(4):last-child) { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media (max-width: 32rem) {
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .tile { padding: .6rem .7rem; } .tile .number { font-size: 1.35rem; }
  thead { display: none; }
  tr { display: flex; flex-wrap: wrap; align-items: center; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; }
  .name, .chart { flex: 1 0 100%; }
  .count { padding: .1rem 1rem .1rem 0; font-size: .9rem; }
  .count::before { content: attr(data-name) " "; color: var(--soft); }
}
@media print { body { padding: 0; max-width: none; font-size: 10.5pt; } }
"""
