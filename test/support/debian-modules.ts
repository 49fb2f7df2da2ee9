/** Where Debian's packages put modules. */
export const debianModules = '/usr/share/puppet/modules'
