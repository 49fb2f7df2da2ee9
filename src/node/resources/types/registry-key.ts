import { type AttributeKind, createParsedKind, toPlainText } from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import { defineEnsure, defineNamevar, defineParameter, defineType } from '../type.ts'
import { listAncestors, registryKeyKind } from './registry-path.ts'

const purgeKind: AttributeKind<boolean> = createParsedKind((value) => {
  const text = toPlainText(value)
  if (!/^(?:true|false)$/i.test(text))
    failWithMessage(`Validation Error: purge_values must be true or false, not ${text}`)
  return text.toLowerCase() === 'true'
})

/** The resource type `registry_key` of the module registry: keys of the registry of Windows. */
export const registryKey = defineType('registry_key', {
  doc: 'Manages registry keys on Windows.',
  attributes: {
    path: defineNamevar(
      registryKeyKind,
      'The path of the key, for example `HKLM\\Software\\Vendor`; `32:` at the start selects the 32-bit view.',
    ),
    ensure: defineEnsure('`present` creates the key, `absent` removes it, unless it has subkeys.'),
    purge_values: defineParameter(purgeKind, 'If true, values of the key that are not in the catalog are removed.', {
      default: false,
    }),
  },
  aliases: (resource) => [resource.name.toLowerCase()],
  autorequire: {
    registry_key: (resource, catalog) => [
      listAncestors(resource.name).find((path) => catalog.has('registry_key', path)),
    ],
  },
})

/** Attributes of the type `registry_key`. */
export type RegistryKeyAttributes = (typeof registryKey)['attributes']
