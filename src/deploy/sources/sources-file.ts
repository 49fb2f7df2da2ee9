import { throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import type { SourcesFile } from './code-source.ts'
import { sourceIssues } from './source-issues.ts'
import { readSources } from './sources-file-parser.ts'

/** Settings for reading a sources file, with defaults for missing keys. */
export type SourcesSettings = Pick<
  Settings,
  'code_sources' | 'code_fetch_interval' | 'code_fetch_timeout' | 'max_code_fetch_bytes' | 'webhook_secret'
>

/** Reads the file of the setting `code_sources`. Throws SOURCES_UNREADABLE, SOURCES_FILE. */
export async function readSourcesFile(settings: SourcesSettings, files: Pick<Files, 'readText'>): Promise<SourcesFile> {
  const file = settings.code_sources
  const failUnreadable = (why: string) => throwIssue(sourceIssues.SOURCES_UNREADABLE, { file, why })
  const text = await files.readText(file).catch((error) => failUnreadable(formatError(error)))
  return readSources(text ?? failUnreadable('the file does not exist'), file, getSourceDefaults(settings))
}

function getSourceDefaults(settings: SourcesSettings) {
  return {
    intervalMs: settings.code_fetch_interval * 1000,
    timeoutMs: settings.code_fetch_timeout * 1000,
    maxBytes: settings.max_code_fetch_bytes,
    webhookSecretFile: settings.webhook_secret === '' ? undefined : settings.webhook_secret,
  }
}
