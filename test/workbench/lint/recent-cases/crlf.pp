class crlf {
  $a = "x"
  /* c */
}
