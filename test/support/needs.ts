import { inject } from 'vitest'

/** What only some machines have. */
export type Need =
  | 'real Puppet 7.23'
  | 'puppet-terminus-puppetdb'
  | 'hiera-eyaml'
  | 'ruby-msgpack'
  | 'RSpec'
  | 'rspec-puppet 2.9'
  | 'puppetlabs_spec_helper'
  | 'Facter'
  | "Debian's modules"
  | 'PostgreSQL'
  | 'pypuppetdb'
  | 'Puppet Server 7.9.5'
  | 'PuppetDB 7.12'
  | 'Chromium'
  | 'OpenLDAP'
  | 'r10k'
  | 'fish'
  | 'SoftHSM'
  | 'GnuPG'
  | 'puppet-lint 3.0.1'
  | 'age'
  | 'Neovim'
  | 'Emacs with Eglot'
  | 'package managers'
  | 'Windows (Wine)'

declare module 'vitest' {
  interface ProvidedContext {
    /** What this machine has not; in CI nothing, so that a suite fails rather than be left out. */
    missing: readonly Need[]
  }
}

/** The end of the title of a suite that is left out here, with the reason; empty where all is here that it needs. */
export function without(...needs: readonly Need[]): string {
  const missing = needs.filter((need) => inject('missing').includes(need))
  return missing.length === 0 ? '' : ` (left out: no ${missing.join(', no ')}; see CONTRIBUTING.md)`
}
