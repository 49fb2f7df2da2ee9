/** The folder of an environment as the Ruby of its Puppetfile sees it: where Puppet has it by default. */
export function rootOf(environment: string): string {
  return `/etc/puppetlabs/code/environments/${environment.replace(/[^\w.-]/g, '_')}`
}
