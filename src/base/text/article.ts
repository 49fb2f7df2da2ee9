/** `a` or `an`. Puppet counts `y` as a vowel, and looks past a quote (label_provider.rb). */
export function article(text: string): string {
  return /^["'`<]?[aeiouy]/i.test(text) ? 'an' : 'a'
}
