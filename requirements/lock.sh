# Writes run.txt, production.txt, test.txt and build.txt: what pip chooses today for the ranges in pyproject.toml.
# nvidia-* and their like come with torch on some machines only, so they are left to torch.
set -eu

cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
backend=$(sed -n 's/^requires = \["\(.*\)"\]/\1/p' pyproject.toml)
python3 -m venv "$fresh/env"

add() { # install $2… and write what that brought into requirements/$1.txt, below its heading from standard input
    file=$1
    shift
    "$fresh/env/bin/pip" install --quiet "$@"
    "$fresh/env/bin/pip" freeze --all |
        grep -vE '^(helpdesk-bot|pip==|wheel==|nvidia-|triton==|cuda-)' | sed 's/+cpu$//' >"$fresh/all"
    { cat && grep -vxF -f "$fresh/known" "$fresh/all"; } >"requirements/$file.txt"
    cp "$fresh/all" "$fresh/known"
}

"$fresh/env/bin/pip" freeze --all >"$fresh/known"
add run . <<'END'
# What the program runs with, exactly; made by `make lock`. Ranges are in pyproject.toml.
END
add production '.[sentence-transformers]' <<'END'
# With the larger encoders on this machine, exactly; made by `make lock`.
-r run.txt
END
add test '.[sentence-transformers,test]' <<'END'
# What the tests and checks need besides, exactly; made by `make lock`.
-r production.txt
END

python3 -m venv "$fresh/build"
{
    echo '# What builds the package, exactly; made by `make lock`.'
    "$fresh/build/bin/pip" install --quiet "$backend" editables
    "$fresh/build/bin/pip" freeze
} >requirements/build.txt
