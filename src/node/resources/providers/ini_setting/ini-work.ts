import { createHash } from 'node:crypto'
import { IniFile, type IniStyle } from '../../ini-file.ts'
import { bytesOf, readLines, textOf, writeBytes } from '../../line-files.ts'
import type { Services, Work } from '../../provider.ts'
import type { Attributes } from '../../type.ts'

/** Reads an INI file; a missing file is empty. */
export async function openIni({ system }: Services, path: string, style: IniStyle): Promise<IniFile> {
  const lines = (await readLines(system.files, path)) ?? []
  return new IniFile(lines.map(textOf), style)
}

/** Overwrites an INI file. */
export async function saveIni({ system }: Services, path: string, file: IniFile): Promise<void> {
  await writeBytes(system.files, path, bytesOf(file.toString()))
}

/**
 * A value for messages: the value, its MD5 or a placeholder, as set by `show_diff` of the resource
 * and the settings.
 */
export function shownValue<Of extends Attributes, State>(
  { resource, settings }: Work<Of, State>,
  value: unknown,
): string {
  const how = settings.show_diff ? resource.value('show_diff') : 'false'
  if (how === 'true') return String(value)
  if (how === 'md5') return `{md5}${createHash('md5').update(String(value)).digest('hex')}`
  return '[redacted sensitive information]'
}
