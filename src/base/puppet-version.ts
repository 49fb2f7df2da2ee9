/**
 * The supported Puppet version: in `$serverversion`, `$clientversion`, headers, reports, and
 * `Puppet.version` in modules' Ruby.
 */
export const puppetVersion = '8.10.0'
