/** Metacharacters and words for which Ruby's `exec`, and so Puppet, starts a shell. */
const signs = /[*?{}[\]<>()~&|\\$;'`"\n#=%]/
const shellWords =
  /^\s*(?:\.|:|break|case|cd|continue|do|eval|exec|exit|export|for|if|set|shift|times|trap|umask|unset|until|wait|while|!)(?:\s|$)/

/**
 * The program and the arguments that run a command line as Ruby's `exec` does: directly, or by
 * `/bin/sh` if the line needs a shell.
 */
export function splitCommandLine(line: string): readonly string[] {
  return signs.test(line) || shellWords.test(line) ? ['/bin/sh', '-c', line] : line.trim().split(/\s+/)
}
