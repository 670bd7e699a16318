"""Tests in a real browser: Debian's Chromium, driven by Playwright; the fixture `open_page` opens a file in it."""
