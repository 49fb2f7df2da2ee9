@"%~dp0..\versions\@VERSION@\node.exe" "%~dp0..\versions\@VERSION@\dist\main.js" %*
