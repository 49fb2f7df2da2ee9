const ecdsa = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'] as const

/** Key algorithms of hardware security keys. */
const inDevices = ['sk-ecdsa-sha2-nistp256@openssh.com', 'sk-ssh-ed25519@openssh.com'] as const

const certificates = [
  'ssh-rsa-cert-v01@openssh.com',
  'ssh-ed25519-cert-v01@openssh.com',
  'ssh-dss-cert-v01@openssh.com',
  'ecdsa-sha2-nistp256-cert-v01@openssh.com',
  'ecdsa-sha2-nistp384-cert-v01@openssh.com',
  'ecdsa-sha2-nistp521-cert-v01@openssh.com',
] as const

/** Algorithms of host keys, in the order of messages. */
export const hostKeyTypes = ['ssh-dss', 'ssh-ed25519', 'ssh-rsa', ...ecdsa, ...inDevices] as const

/** Algorithms of user keys, in the order of messages. */
export const userKeyTypes = ['ssh-dss', 'ssh-rsa', ...ecdsa, 'ssh-ed25519', ...inDevices, ...certificates] as const

/** Aliases of key algorithms in Puppet's types. */
export const keyAliases: Readonly<Record<string, string>> = {
  dsa: 'ssh-dss',
  ed25519: 'ssh-ed25519',
  rsa: 'ssh-rsa',
  'ecdsa-sk': 'sk-ecdsa-sha2-nistp256@openssh.com',
  'ed25519-sk': 'sk-ssh-ed25519@openssh.com',
}
