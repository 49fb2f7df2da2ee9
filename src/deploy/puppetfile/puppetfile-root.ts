/** Returns the environment's folder for Ruby: Puppet's default place. */
export function rootOf(environment: string): string {
  return `/etc/puppetlabs/code/environments/${environment.replace(/[^\w.-]/g, '_')}`
}
