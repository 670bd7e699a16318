"""`python -m rankgauge`: the program `rankgauge`."""

from rankgauge.cli.app import main

if __name__ == "__main__":
    main()
