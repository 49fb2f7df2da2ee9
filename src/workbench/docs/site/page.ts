import { createHash } from 'node:crypto'
import { type Html, html, PageAddress, type TemplateValue } from '../../../base/text/html.ts'
import { createAnchor, isPrivate } from '../markdown/sections.ts'
import type { DocItem, ModuleDocs } from '../model.ts'
import { listSections, type Section } from './item-sections.ts'
import { renderMarkdown } from './markdown-html.ts'
import { pageScript, pageStyle } from './page-assets.ts'

/** Name and version of a module, from its metadata.json. */
export interface ModuleTitle {
  readonly name: string
  readonly version: string | undefined
}

/**
 * Creates a page with the documentation of a module. The page needs no other file and loads none: its policy allows only
 * its own style and script.
 */
export function formatPage(docs: ModuleDocs, { name, version }: ModuleTitle): string {
  const groups = listGroups(docs)
  const title = `${name}${version === undefined ? '' : ` ${version}`}`
  const body = html`<a class="skip" href="${PageAddress.fragment('content')}">Skip to the documentation</a>
<header><h1>${title}</h1>
<form role="search"><label for="search">Search</label> <input id="search" type="search" autocomplete="off">
<span id="found" role="status"></span></form></header>
<nav aria-label="Contents">${groups.map(renderContents)}</nav>
<main id="content">${groups.map(renderGroup)}</main>`
  return [
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; `,
    `style-src '${createPolicyHash(pageStyle)}'; script-src '${createPolicyHash(pageScript)}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `${html`<title>${title}</title>`}<style>${pageStyle}</style></head>`,
    `<body>${body}<script>${pageScript}</script></body></html>\n`,
  ].join('')
}

function createPolicyHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

interface PageItem {
  readonly id: string
  readonly item: DocItem
  readonly sections: readonly Section[]
}

interface PageGroup {
  readonly name: string
  readonly items: readonly PageItem[]
}

function listGroups(docs: ModuleDocs): readonly PageGroup[] {
  const used = new Set(['content', 'search', 'found'])
  const createId = (name: string) => {
    let id = createAnchor(name)
    while (used.has(id)) id += '-'
    used.add(id)
    return id
  }
  const lists = [
    ['Classes', docs.classes],
    ['Defined types', docs.definedTypes],
    ['Resource types', docs.resourceTypes],
    ['Providers', docs.providers],
    ['Functions', docs.functions],
    ['Data types', [...docs.dataTypes, ...docs.typeAliases]],
    ['Tasks', docs.tasks],
    ['Plans', docs.plans],
  ] as const
  return lists
    .map(([name, items]) => ({
      name,
      items: items.map((item) => ({ id: createId(item.name), item, sections: listSections(item) })),
    }))
    .filter(({ items }) => items.length > 0)
}

function renderContents({ name, items }: PageGroup): Html {
  const entries = items.map(
    ({ id, item }) => html`<li data-item="${id}"><a href="${PageAddress.fragment(id)}">${item.name}</a></li>`,
  )
  return html`<section><h2>${name}</h2><ul>${entries}</ul></section>`
}

function renderGroup({ name, items }: PageGroup): Html {
  return html`<section class="group"><h2>${name}</h2>${items.map(renderItem)}</section>`
}

function renderItem({ id, item, sections }: PageItem): Html {
  const label = isPrivate(item.docstring) ? html` <span class="private">private</span>` : undefined
  return html`<article id="${id}" aria-labelledby="${`${id}--title`}"><h3 id="${`${id}--title`}">${item.name}${label}</h3>
<p class="place">${`${item.file}:${Math.max(item.line, 1)}`}</p>
${sections.map(renderSection)}</article>`
}

function renderSection({ title, text, code, entries }: Section): readonly TemplateValue[] {
  return [
    title === undefined ? undefined : html`<h4>${title}</h4>`,
    text === undefined ? undefined : renderMarkdown(text),
    code === undefined ? undefined : html`<pre tabindex="0"><code>${code}</code></pre>`,
    entries === undefined || entries.length === 0 ? undefined : html`<dl>${entries.map(renderEntry)}</dl>`,
  ]
}

function renderEntry({ name, type, text, value }: NonNullable<Section['entries']>[number]): Html {
  return html`<dt><code>${name}</code>${type === undefined ? undefined : html` <code class="type">${type}</code>`}</dt>
<dd>${text === '' ? undefined : renderMarkdown(text)}${
    value === undefined ? undefined : html`<p>Default: <code>${value}</code></p>`
  }</dd>`
}
