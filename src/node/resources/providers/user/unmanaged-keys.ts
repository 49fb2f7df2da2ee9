import type { Value } from '../../../../language/values/value.ts'
import { listDeclaredMetaparameters } from '../../declared-metaparameters.ts'
import { type AnyResource, ManagedResource } from '../../managed-resource.ts'
import type { ProviderWork } from '../../provider.ts'
import { listResourceTags } from '../../resource-tags.ts'
import { sshAuthorizedKey } from '../../types/ssh-authorized-key.ts'
import type { user } from '../../types/user.ts'
import { parseKeyLine } from '../ssh_authorized_key/key-line.ts'

type UserWork = ProviderWork<(typeof user)['attributes'], undefined>

/**
 * Generates resources that remove keys from a user's files, for keys that are missing from the
 * catalog (Puppet: type/user.rb, `generate`).
 */
export async function generateUnmanagedKeys(work: UserWork): Promise<readonly AnyResource[]> {
  const { resource, system, catalog } = work
  const found: AnyResource[] = []
  for (const path of await listKeyFiles(work)) {
    const text = await system.files.readText(path)
    for (const name of text === undefined ? [] : parseKeyNames(text, path))
      if (!catalog.find('ssh_authorized_key', name)) found.push(createAbsentKey(resource, name, path))
  }
  return found
}

/** Key files from which unmanaged keys are removed; files in the home directory only if the user has one. */
async function listKeyFiles({ resource, system }: UserWork): Promise<readonly string[]> {
  const wish = resource.get('purge_ssh_keys')
  const given = [wish].flat().map(String)
  if (wish === undefined || given[0] === 'false') return []
  const entries = (await system.files.readText('/etc/passwd'))?.split('\n').map((line) => line.split(':'))
  const home = resource.get('home') ?? entries?.find(([name]) => name === resource.name)?.[5]
  const paths = given[0] === 'true' ? ['%h/.ssh/authorized_keys'] : given
  return paths.flatMap((path) => {
    if (!/^(?:%h|~)\//.test(path)) return [path]
    return home === undefined ? [] : [path.replace(/^(?:%h|~)/, home)]
  })
}

/** Names of keys: their comments, or a number for a key without a comment. */
function parseKeyNames(text: string, path: string): readonly string[] {
  let unnamed = 0
  return text.split('\n').flatMap((line) => {
    const values = parseKeyLine(line)
    if (values === undefined || typeof values === 'string') return []
    const name = String(values['name'])
    if (name !== '') return [name]
    unnamed += 1
    return [`${path}:unnamed-${unnamed}`]
  })
}

function createAbsentKey(owner: UserWork['resource'], name: string, target: string): AnyResource {
  const values = new Map<string, Value>([
    ...listDeclaredMetaparameters(owner),
    ['ensure', 'absent'],
    ['user', owner.name],
    ['target', target],
  ])
  const made: AnyResource = new ManagedResource(sshAuthorizedKey, {
    title: name,
    tags: listResourceTags('ssh_authorized_key', name),
    values,
  })
  made.parse()
  return made
}
