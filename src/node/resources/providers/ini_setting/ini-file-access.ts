import { createHash } from 'node:crypto'
import { IniFile, type IniStyle } from '../../ini-file.ts'
import { decodeByteString, readLines, toByteString, writeBytes } from '../../line-files.ts'
import type { ProviderServices, ProviderWork } from '../../provider.ts'
import type { ResourceAttributes } from '../../type.ts'

/** Reads an INI file; a missing file is empty. */
export async function openIniFile({ system }: ProviderServices, path: string, style: IniStyle): Promise<IniFile> {
  const lines = (await readLines(system.files, path)) ?? []
  return new IniFile(lines.map(decodeByteString), style)
}

/** Overwrites an INI file. */
export async function saveIniFile({ system }: ProviderServices, path: string, file: IniFile): Promise<void> {
  await writeBytes(system.files, path, toByteString(file.toString()))
}

/**
 * A value for messages: the value, its MD5 or a placeholder, as set by `show_diff` of the resource
 * and the settings.
 */
export function formatShownValue<Of extends ResourceAttributes, State>(
  { resource, settings }: ProviderWork<Of, State>,
  value: unknown,
): string {
  const how = settings.show_diff ? resource.value('show_diff') : 'false'
  if (how === 'true') return String(value)
  if (how === 'md5') return `{md5}${createHash('md5').update(String(value)).digest('hex')}`
  return '[redacted sensitive information]'
}
