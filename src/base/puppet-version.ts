/**
 * The version of Puppet whose language and protocol we speak: in `$serverversion`, `$clientversion`, headers, reports and
 * `Puppet.version` of modules' Ruby.
 */
export const puppetVersion = '8.10.0'
