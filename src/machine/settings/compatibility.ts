/** Values of the setting `compatibility`: versions of Puppet and OpenVox whose defaults differ. */
export const compatibilities = ['puppet7', 'puppet8', 'openvox8', 'openvox9'] as const

/** A version of Puppet or OpenVox whose defaults can be selected. */
export type Compatibility = (typeof compatibilities)[number]

/** The fact with the name of the implementation, which OpenVox has and Puppet does not have. */
export function createImplementationFact(
  compatibility: Compatibility,
  name: 'implementation' | 'serverimplementation',
): Readonly<Record<string, string>> {
  return compatibility.startsWith('openvox') ? { [name]: 'openvox' } : {}
}
