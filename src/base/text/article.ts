const quotes = `"'\`<`
const vowels = 'aeiouyAEIOUY'

/**
 * `a` or `an`. Puppet counts `y` as a vowel and skips a quote (label_provider.rb). Uses no regular
 * expression, because errors at the end of the stack need it: V8 cannot compile one there, and Node
 * 20 may abort.
 */
export function article(text: string): string {
  const [first = ' ', second = ' '] = text
  return vowels.includes(quotes.includes(first) ? second : first) ? 'an' : 'a'
}
