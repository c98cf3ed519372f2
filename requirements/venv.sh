# Makes the virtual environment $1 with the first Python on this machine that is new enough.
set -eu

fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if "$python" -c "$fits" 2>/dev/null; then
        if "$python" -c 'import ensurepip' 2>/dev/null; then
            exec "$python" -m venv "$1"
        fi
        echo "$python cannot make virtual environments; on Debian: sudo apt-get install python3-venv" >&2
        exit 1
    fi
done
echo "The bot needs Python 3.11, 3.12 or 3.13, and none was found on the PATH." >&2
echo "Install one, or name it: make PYTHON=/path/to/python3.11 ..." >&2
exit 1
