/** The version of Puppet whose language and protocol we speak, as `$serverversion` and the headers tell it. */
export const puppetVersion = '8.10.0'
