const quotes = `"'\`<`
const vowels = 'aeiouyAEIOUY'

/**
 * `a` or `an`. Puppet counts `y` as a vowel, and looks past a quote (label_provider.rb). Words errors at the end of the
 * stack, where V8 cannot compile a regular expression; Node 20 may abort.
 */
export function article(text: string): string {
  const [first = ' ', second = ' '] = text
  return vowels.includes(quotes.includes(first) ? second : first) ? 'an' : 'a'
}
