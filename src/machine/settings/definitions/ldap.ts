import { boolean, file, port, text } from '../kinds.ts'

/** Settings for node data from an LDAP directory. The names are Puppet's: defaults.rb, `:ldap`. */
export const ldap = {
  ldapserver: text({
    takes: 'a host name',
    default: 'ldap',
    doc: 'Host name of the LDAP server that contains node data (node_terminus = ldap).',
  }),
  ldapport: port({ default: '389', doc: 'Port of the LDAP server.' }),
  ldapssl: boolean({ default: 'false', doc: 'Connect to the LDAP server over TLS (ldaps).' }),
  ldaptls: boolean({ default: 'false', doc: 'Upgrade the connection to the LDAP server to TLS (StartTLS).' }),
  ldap_ca_file: file({ doc: 'PEM file of CA certificates that verify the LDAP server, instead of those of Node.js.' }),
  ldapbase: text({ takes: 'a DN', doc: 'Base DN of node searches, such as ou=Hosts,dc=example,dc=test.' }),
  ldapstring: text({
    takes: 'an LDAP filter',
    default: '(&(objectclass=puppetClient)(cn=%s))',
    doc: 'LDAP filter that finds a node; %s is replaced with the node name.',
  }),
  ldapattrs: text({
    takes: 'attribute names, or all',
    default: 'all',
    doc: 'LDAP attributes that become top-scope variables, separated by commas, or all.',
  }),
  ldapclassattrs: text({
    takes: 'attribute names',
    default: 'puppetclass',
    doc: 'LDAP attributes that contain class names.',
  }),
  ldapparentattr: text({
    takes: 'an attribute name',
    default: 'parentnode',
    doc: 'LDAP attribute that names the parent entry, from which a node inherits values.',
  }),
  ldapstackedattrs: text({
    takes: 'attribute names',
    default: 'puppetvar',
    doc: 'LDAP attributes that contain variables in the form name=value.',
  }),
  ldapuser: text({ takes: 'a DN', doc: 'DN to bind as. Empty: an anonymous bind.' }),
  ldappassword: text({
    takes: 'a password',
    doc: 'Password of ldapuser. Manifests cannot read it. Prefer ldap_password_file.',
  }),
  ldap_password_file: file({
    doc: 'File that contains only the password of ldapuser. Only the user of the server may read it.',
  }),
} as const
