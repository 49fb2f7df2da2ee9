/**
 * Returns the path of an environment's folder that the Ruby code of a Puppetfile sees: Puppet's
 * default path.
 */
export function getEnvironmentRoot(environment: string): string {
  return `/etc/puppetlabs/code/environments/${environment.replace(/[^\w.-]/g, '_')}`
}
