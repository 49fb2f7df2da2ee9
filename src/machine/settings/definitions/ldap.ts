import { defineBoolean, defineFile, definePort, defineText } from '../kinds.ts'

/** Settings for node data from an LDAP directory. The names are Puppet's: defaults.rb, `:ldap`. */
export const ldapSettings = {
  ldapserver: defineText({
    takes: 'a host name',
    default: 'ldap',
    doc: 'Host name of the LDAP server that contains node data (node_terminus = ldap).',
  }),
  ldapport: definePort({ default: '389', doc: 'Port of the LDAP server.' }),
  ldapssl: defineBoolean({ default: 'false', doc: 'Connect to the LDAP server over TLS (ldaps).' }),
  ldaptls: defineBoolean({ default: 'false', doc: 'Upgrade the connection to the LDAP server to TLS (StartTLS).' }),
  ldap_ca_file: defineFile({
    doc: 'PEM file of CA certificates that verify the LDAP server, instead of the CA certificates of Node.js.',
  }),
  ldapbase: defineText({ takes: 'a DN', doc: 'Base DN of node searches, such as ou=Hosts,dc=example,dc=test.' }),
  ldapstring: defineText({
    takes: 'an LDAP filter',
    default: '(&(objectclass=puppetClient)(cn=%s))',
    doc: 'LDAP filter that finds a node; %s is replaced with the node name.',
  }),
  ldapattrs: defineText({
    takes: 'attribute names, or all',
    default: 'all',
    doc: 'LDAP attributes that become top-scope variables, separated by commas; `all` for every attribute.',
  }),
  ldapclassattrs: defineText({
    takes: 'attribute names',
    default: 'puppetclass',
    doc: 'LDAP attributes that contain class names.',
  }),
  ldapparentattr: defineText({
    takes: 'an attribute name',
    default: 'parentnode',
    doc: 'LDAP attribute that names the parent entry, from which a node inherits values.',
  }),
  ldapstackedattrs: defineText({
    takes: 'attribute names',
    default: 'puppetvar',
    doc: 'LDAP attributes that contain variables in the form name=value.',
  }),
  ldapuser: defineText({
    takes: 'a DN',
    doc: 'DN of the user that connects to the LDAP server. If unset, the bind is anonymous.',
  }),
  ldappassword: defineText({
    takes: 'a password',
    doc: 'Password of ldapuser. Manifests cannot read it. Prefer ldap_password_file.',
  }),
  ldap_password_file: defineFile({
    doc: 'File that contains only the password of ldapuser. Only the user of the server may read it.',
  }),
} as const
