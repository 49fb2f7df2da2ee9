import { join } from 'node:path'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { FacterConf } from './facter-conf.ts'
import type { FactLog } from './log.ts'

/** The fact cache set up in facter.conf: one file per group, in Facter's format. */
export interface FactCache {
  /** The cached facts of a group or file; undefined if expired. */
  read(name: string): Promise<Readonly<Record<string, ExactJson>> | undefined>
  /** The group under which a fact is cached; undefined if the fact is not cached. */
  groupOf(fact: string): string | undefined
  /** Stores the facts of groups whose cache file is missing or expired. */
  write(found: Iterable<readonly [group: string, name: string, value: ExactJson]>): Promise<void>
}

/** The folder of the fact cache. */
export const getCacheFolder = ({ vardir }: Pick<Settings, 'vardir'>): string => join(vardir, 'cached_facts')

const formatVersion = 1
const versionKey = 'cache_format_version'

/** The fact cache in a folder. */
export function openFactCache(
  { files, now }: Pick<System, 'files' | 'now'>,
  folder: string,
  { ttls, groups }: Pick<FacterConf, 'ttls' | 'groups'>,
  log: FactLog,
): FactCache {
  const read = new Map<string, Promise<Readonly<Record<string, ExactJson>> | undefined>>()
  // Descending order, so that children precede their parents: os.macosx before os.
  const names = Object.entries(ttls)
    .flatMap(([group, seconds]) => (getOwnValue(groups, group) ?? [group]).map((name) => ({ name, group, seconds })))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
  const toCachePath = (group: string) => join(folder, group.replaceAll('/', '_'))
  return {
    groupOf: (fact) => names.find(({ name }) => fact === name || fact.startsWith(`${name}.`))?.group,
    read(name) {
      const seconds = ttls[name]
      if (seconds === undefined) return Promise.resolve(undefined)
      const answer = read.get(name) ?? readCachedGroup(name, seconds)
      read.set(name, answer)
      return answer
    },
    async write(found) {
      const byGroup = new Map<string, Record<string, ExactJson>>()
      for (const [group, name, value] of found)
        byGroup.set(group, { ...byGroup.get(group), [name]: value, [versionKey]: formatVersion })
      for (const [group, facts] of byGroup) {
        if ((await this.read(group)) !== undefined) continue
        log('debug', `caching values for ${group} facts`, 'Facter::CacheManager')
        await files
          .makeDirectory(folder)
          .then(() => files.write(toCachePath(group), formatExactJson(facts, 2)))
          .catch((error: unknown) =>
            log('warn', `Could not write cache: ${formatError(error)}`, 'Facter::CacheManager'),
          )
      }
    },
  }

  async function readCachedGroup(group: string, seconds: number) {
    try {
      const stat = await files.stat(toCachePath(group))
      if (stat !== undefined && stat.modified + seconds * 1000 > now()) {
        const parsed = parseJson((await files.readText(toCachePath(group))) ?? '')
        if (isExactObject(parsed) && !(parsed instanceof Map)) {
          const { [versionKey]: version, ...facts } = parsed as Record<string, ExactJson>
          if (version === formatVersion) return facts
        }
      }
    } catch (error) {
      log(
        'debug',
        `Failed to read cache file ${toCachePath(group)}. Detail: ${formatError(error)}`,
        'Facter::CacheManager',
      )
    }
    log('debug', `${group} facts cache file expired, missing or is corrupt`, 'Facter::CacheManager')
    return undefined
  }
}
