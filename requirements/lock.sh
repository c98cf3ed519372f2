# Writes run.txt, test.txt and build.txt: what pip chooses today for the ranges in pyproject.toml.
# nvidia-* and their like come with torch on some machines only, so they are left to torch.
set -eu

cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

frozen() { # the packages of environment $1 but ours and those that only some machines need
    "$fresh/$1/bin/pip" freeze --all |
        grep -vE '^(-e |helpdesk-bot|pip==|wheel==|nvidia-|triton==|cuda-)' | sed 's/+cpu$//'
}

python3 -m venv "$fresh/run"
"$fresh/run/bin/pip" install --quiet .
{
    echo '# What the program runs with, exactly; made by `make lock`. Ranges are in pyproject.toml.'
    frozen run | grep -v '^setuptools=='
} >requirements/run.txt

python3 -m venv "$fresh/test"
"$fresh/test/bin/pip" install --quiet --constraint requirements/run.txt '.[sentence-transformers,test]'
{
    echo '# What the tests and checks need besides, exactly; made by `make lock`.'
    echo '-r run.txt'
    frozen test | grep -vxF -f requirements/run.txt
} >requirements/test.txt

python3 -m venv "$fresh/build"
"$fresh/build/bin/pip" install --quiet --constraint requirements/test.txt "$(sed -n 's/^requires = \["\(.*\)"\]/\1/p' pyproject.toml)" editables
{
    echo '# What builds the package, exactly; made by `make lock`.'
    frozen build | grep -v '^setuptools=='
} >requirements/build.txt
