// slashes
/* one line */
/*
 * several
 *   lines
 */
class comments { // at the end
  $a = 1 /* before the end */
  /* indented
     twice */
  $b = 2
}
