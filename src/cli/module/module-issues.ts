import { defineIssues } from '../../base/issue.ts'

/** Errors of `plumb module`, worded as those of `puppet module`. Puppet: module_tool/errors. */
export const moduleCommandIssues = defineIssues({
  MODULE_NAME_NEEDED: {
    text: (a: { action: string }) => `Could not ${a.action} module: no name was given`,
    hint: (a) => `Write the name after 'plumb module ${a.action}': OWNER-NAME.`,
  },
  MODULE_FULL_NAME: {
    text: (a: { action: string; name: string }) =>
      `Could not ${a.action} '${a.name}', did you mean 'puppetlabs-${a.name}'?`,
    hint: () => 'Write the name with its owner: OWNER-NAME.',
  },
  MODULE_ALREADY_INSTALLED: {
    text: (a: { slug: string; wanted: string; installed: string }) =>
      `Could not install module '${a.slug}' (${a.wanted})\n  Module '${a.slug}' (${a.installed}) is already installed`,
    hint: () => "Use 'plumb module upgrade' to install a different version, or --force to re-install only this module.",
  },
  MODULE_NO_CANDIDATE: {
    text: (a: { action: string; slug: string; wanted: string; forge: string }) =>
      `Could not ${a.action} module '${a.slug}' (${a.wanted})\n  No releases matching '${a.wanted}' are available from ${a.forge}`,
    hint: (a) => `Run 'plumb module search ${a.slug.replace(/^[^-]*-/, '')}'.`,
  },
  MODULE_UNSATISFIED: {
    text: (a: { action: string; slug: string; wanted: string; need: string; installed: string | undefined }) =>
      `Could not ${a.action} module '${a.slug}' (${a.wanted})\n  No version of '${a.slug}' can satisfy all dependencies: ${a.need}` +
      (a.installed === undefined ? '' : `, but ${a.installed} is installed`),
    hint: (a) => `Use --ignore-dependencies to ${a.action} only this module.`,
  },
  MODULE_HELD_BACK: {
    text: (a: { slug: string; installed: string; newer: string }) =>
      `Could not upgrade module '${a.slug}' (${a.installed} -> ${a.newer})\n  Other installed modules, or its dependencies, do not accept a newer version`,
    hint: () => "Run 'plumb module list --tree', or use --ignore-dependencies with --force.",
  },
  MODULE_DIRECTORY_TAKEN: {
    text: (a: { slug: string; path: string; other: string }) =>
      `Could not install module '${a.slug}'\n  The directory ${a.path} contains ${a.other}`,
    hint: () => 'Use another --target-dir, or --force to replace it.',
  },
  MODULE_NOT_INSTALLED: {
    text: (a: { action: string; slug: string; known: readonly string[] }) =>
      `Could not ${a.action} module '${a.slug}'\n  Module '${a.slug}' is not installed`,
    hint: (a) => {
      const similar = a.known.filter((name: string) => name.includes(a.slug.replace(/^[^-]*-/, '')))
      return similar.length === 0 ? undefined : `Did you mean ${similar.map((name: string) => `'${name}'`).join(', ')}?`
    },
  },
  MODULE_SEVERAL: {
    text: (a: { action: string; slug: string; paths: readonly string[] }) =>
      `Could not ${a.action} module '${a.slug}'\n  Module '${a.slug}' appears multiple times in the modulepath:\n${a.paths.map((path) => `    ${path}`).join('\n')}`,
    hint: () => 'Use the --modulepath option to limit the search to a specific directory.',
  },
  MODULE_CHANGED: {
    text: (a: { action: string; slug: string; version: string; files: readonly string[] }) =>
      `Could not ${a.action} module '${a.slug}' (v${a.version})\n  Installed module has had changes made locally: ${a.files.slice(0, 5).join(', ')}${a.files.length > 5 ? ', …' : ''}`,
    hint: (a) => `Use --ignore-changes to ${a.action} this module anyway.`,
  },
  MODULE_REQUIRED: {
    text: (a: { slug: string; version: string; by: readonly string[] }) =>
      `Could not uninstall module '${a.slug}' (v${a.version})\n  Other installed modules have dependencies on '${a.slug}': ${a.by.join(', ')}`,
    hint: () => "Use 'plumb module uninstall --force' to uninstall this module anyway.",
  },
  MODULE_VERSION_WORDS: {
    text: (a: { words: string }) => `Version range '${a.words}' is invalid`,
    hint: () => "Examples: 1.2.3, '>= 1.0.0 < 2.0.0', 4.x.",
  },
})
