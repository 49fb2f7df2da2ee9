/** True in the project `native-ruby`, which repeats suites of modules' Ruby on a node with an installed Ruby. */
export const isRubyNative = process.env['TEST_RUBY'] === 'native'

/** Option of a NodeMachine: the installed Ruby of `PATH` in the project `native-ruby`, else the built-in Ruby. */
export const nativeRuby: string | undefined = isRubyNative ? '' : undefined

const commandsWithRuby: ReadonlySet<string | undefined> = new Set(['apply', 'agent', 'resource', 'facts'])

/** Adds the setting for an installed Ruby to a command that runs modules' Ruby, in the project `native-ruby`. */
export function selectRuby(words: readonly string[]): readonly string[] {
  return isRubyNative && commandsWithRuby.has(words[0]) ? [...words, '--ruby_provider', 'native'] : words
}
