/** Settings that select the Ruby of modules on a node. */
export interface RubySettings {
  readonly ruby_provider?: unknown
  readonly ruby_path?: unknown
}

/** Returns the program of the installed Ruby that the settings select; `undefined` for the built-in Ruby. */
export function findNativeRuby({ ruby_provider, ruby_path }: RubySettings): string | undefined {
  return ruby_provider === 'native' ? String(ruby_path ?? '') : undefined
}
