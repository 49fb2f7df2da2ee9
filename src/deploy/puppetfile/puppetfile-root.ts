/** Returns the path of an environment as Ruby sees it: Puppet's default path. */
export function getEnvironmentRoot(environment: string): string {
  return `/etc/puppetlabs/code/environments/${environment.replace(/[^\w.-]/g, '_')}`
}
