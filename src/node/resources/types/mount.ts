import { fail } from '../../../base/issue.ts'
import { withoutTrailingSlashes } from '../../../base/text/trailing.ts'
import type { Value } from '../../../language/values/value.ts'
import { complain, complainAboutForm, issues } from '../issues.ts'
import { anything, coercedBoolean, inspect, type Kind, oneOf, parsedBy, plain, text, withAliases } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'
import { ancestors } from './file.ts'

/** A field of fstab, which cannot contain whitespace. */
const field = (name: string) =>
  parsedBy((value: Value): string => {
    const given = String(plain(value))
    if (/\s/.test(given)) complain(`${name} must not contain whitespace: ${given}`)
    if (given === '') complainAboutForm(`${name} must not be an empty string`)
    return given
  })

const dump = parsedBy((value: Value) => {
  const given = plain(value)
  if (!/[01]/.test(String(given)))
    fail(issues.INVALID_VALUE, { value: inspect(given), valid: 'Valid values match /(0|1)/.' })
  return given
})

const atBoot: Kind<string> = { munges: true, parse: (value) => (coercedBoolean.parse(value) ? 'yes' : 'no') }

const zeroWhenManaged = (resource: ManagedResource) => (resource.properties().length > 0 ? 0 : undefined)

/** File systems in fstab, and their mounts. */
export const mount = defineType('mount', {
  doc: 'Manages mounted filesystems, including putting mount information into the mount table.',
  features: { refreshable: 'The provider can remount the filesystem.' },
  refreshesItself: true,
  attributes: {
    ensure: property(
      withAliases(oneOf('defined', 'unmounted', 'absent', 'mounted'), { present: 'defined' }),
      'defined (or present) in the table, mounted or not; unmounted; absent; or mounted.',
    ),
    device: property(text, 'The device to mount, or its equivalent, such as a network path.'),
    blockdevice: property(field('blockdevice'), 'The device to check (Solaris).'),
    fstype: property(field('fstype'), 'The type of the file system.'),
    options: property(field('options'), 'The mount options, as in the mount table.'),
    pass: property(anything, 'The pass in which the file system is checked.', { default: zeroWhenManaged }),
    atboot: property(atBoot, 'If true, the file system is mounted at boot, if the mount table supports it.'),
    dump: property(dump, 'The dump field of the mount table: 0 or 1.', { default: zeroWhenManaged }),
    target: property(text, 'The path of the mount table.', { default: '/etc/fstab' }),
    name: namevar(
      parsedBy((value: Value) => withoutTrailingSlashes(String(plain(value)))),
      'The mount point.',
    ),
    remounts: parameter(
      oneOf('true', 'false'),
      'If false, a change unmounts and mounts the file system instead of remounting it.',
      {
        default: 'true',
      },
    ),
    provider: parameter(anything, 'The backend.'),
  },
  autorequire: { mount: (resource) => ancestors(resource.name).reverse() },
  autobefore: {
    file: (resource, catalog) =>
      catalog.ofType('file').flatMap(({ name }) => (name.startsWith(`${resource.name}/`) ? [name] : [])),
  },
})
