import { boolean, file, port, text } from '../kinds.ts'

/** Nodes from an LDAP directory, by the names that Puppet has for these settings. Puppet: defaults.rb, :ldap. */
export const ldap = {
  ldapserver: text({
    takes: 'the name of a host',
    default: 'ldap',
    doc: 'The LDAP server that knows nodes (node_terminus = ldap).',
  }),
  ldapport: port({ default: '389', doc: 'Its port.' }),
  ldapssl: boolean({ default: 'false', doc: 'Whether it is asked over TLS from the first byte (ldaps).' }),
  ldaptls: boolean({ default: 'false', doc: 'Whether TLS begins on the plain port (StartTLS).' }),
  ldap_ca_file: file({ doc: 'Authorities (PEM) of its certificate, in place of those that Node.js knows.' }),
  ldapbase: text({ takes: 'a DN', doc: 'The entry below which nodes are sought: ou=Hosts,dc=example,dc=test.' }),
  ldapstring: text({
    takes: 'an LDAP filter',
    default: '(&(objectclass=puppetClient)(cn=%s))',
    doc: 'The filter that finds a node; %s stands for its name.',
  }),
  ldapattrs: text({
    takes: 'names of attributes, or all',
    default: 'all',
    doc: 'Attributes that become variables of the top scope, with commas between; all for all.',
  }),
  ldapclassattrs: text({ takes: 'names of attributes', default: 'puppetclass', doc: 'Attributes that name classes.' }),
  ldapparentattr: text({
    takes: 'the name of an attribute',
    default: 'parentnode',
    doc: 'The attribute that names the entry whose values are inherited.',
  }),
  ldapstackedattrs: text({
    takes: 'names of attributes',
    default: 'puppetvar',
    doc: 'Attributes whose values are variables: name=value.',
  }),
  ldapuser: text({ takes: 'a DN', doc: 'The DN as which it is asked; anonymously without one.' }),
  ldappassword: text({
    takes: 'a password',
    doc: 'The password of that DN. No manifest sees it; better is ldap_password_file.',
  }),
  ldap_password_file: file({ doc: 'A file with the password alone, for no eyes but those of the server.' }),
} as const
