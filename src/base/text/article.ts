const quotes = `"'\`<`
const vowels = 'aeiouyAEIOUY'

/**
 * Returns `a` or `an`. Puppet counts `y` as a vowel and skips a leading quote (label_provider.rb). Uses no regular
 * expression, because stack overflow errors call this function: V8 cannot compile a regular expression near the end of
 * the stack, and Node 20 may abort.
 */
export function getArticle(text: string): string {
  const [first = ' ', second = ' '] = text
  return vowels.includes(quotes.includes(first) ? second : first) ? 'an' : 'a'
}
