import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { isMissingFileError } from '../../../base/system-error.ts'
import type { Settings } from '../../../machine/settings/settings.ts'

const issues = defineIssues({
  UNTRUSTED_FOLDER: {
    text: (a: { path: string; setting: string; why: string }) => `Refusing to use ${a.path} of ${a.setting}: ${a.why}`,
    hint: (a) =>
      `That user could change what this run reads or executes as root. Remove ${a.path}, or run 'chown -R root: ${a.path}' and ` +
      `'chmod -R go-w ${a.path}' after you have checked its contents.`,
  },
})

/** Folders whose content a run executes or acts on: plug-ins, external facts, cached catalogs, state. */
const wholeFolders = ['plugindest', 'pluginfactdest', 'client_datadir', 'statedir'] as const
/**
 * Folders that contain the folders of `wholeFolders`, or the settings file, which names commands to
 * run.
 */
const containers = ['confdir', 'vardir', 'config'] as const

type FolderSettings = Pick<Settings, (typeof wholeFolders)[number] | (typeof containers)[number]>

/**
 * Throws UNTRUSTED_FOLDER if a user other than root could change what a process of root reads or executes: plug-ins,
 * external facts, cached catalogs, state, settings, and every folder above them. Other users' processes are not checked.
 */
export function requireTrustedFolders(settings: FolderSettings): void {
  if (process.geteuid?.() !== 0) return
  const above = new Set<string>()
  const checkTrust = (setting: string, path: string, stat: Stats) => {
    const why = getDistrustReason(stat)
    if (why !== undefined) throwIssue(issues.UNTRUSTED_FOLDER, { path, setting, why })
  }
  for (const setting of [...containers, ...wholeFolders])
    for (const path of [...listAncestors(settings[setting]), ...listAncestors(resolveRealPath(settings[setting]))]) {
      if (above.has(path)) continue
      above.add(path)
      const stat = readStat(path)
      if (stat) checkTrust(setting, path, stat)
    }
  for (const setting of wholeFolders) walkFolder(settings[setting], (path, stat) => checkTrust(setting, path, stat))
}

/** The reason why another user can change a file or folder; `undefined` if only root can. */
function getDistrustReason(stat: Stats): string | undefined {
  if (stat.uid !== 0) return `the user with ID ${stat.uid} owns it`
  // The mode of a link has no meaning, and in a sticky folder nobody else can replace root's files.
  if (stat.isSymbolicLink() || (stat.isDirectory() && (stat.mode & 0o1000) !== 0)) return undefined
  if ((stat.mode & 0o002) !== 0) return 'every user can write to it'
  if ((stat.mode & 0o020) !== 0 && stat.gid !== 0) return `the group with ID ${stat.gid} can write to it`
  return undefined
}

/** The path without links; the path itself if it does not exist. */
function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** A path and all folders above it, except the root folder. */
function listAncestors(path: string): string[] {
  const up = dirname(path)
  return up === path ? [] : [...listAncestors(up), path]
}

function walkFolder(folder: string, visit: (path: string, stat: Stats) => void): void {
  for (const entry of readEntries(folder)) {
    const path = join(folder, entry.name)
    const stat = readStat(path)
    if (!stat) continue
    visit(path, stat)
    if (stat.isDirectory()) walkFolder(path, visit)
  }
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissingFileError(error)) return []
    throw error
  }
}

function readStat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
