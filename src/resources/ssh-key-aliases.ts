/** Short names that Puppet's types of SSH keys take for the names of algorithms. */
export const keyAliases: Readonly<Record<string, string>> = {
  dsa: 'ssh-dss',
  ed25519: 'ssh-ed25519',
  rsa: 'ssh-rsa',
  'ecdsa-sk': 'sk-ecdsa-sha2-nistp256@openssh.com',
  'ed25519-sk': 'sk-ssh-ed25519@openssh.com',
}
