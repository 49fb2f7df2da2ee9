import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import type { AssetSet } from './assets.ts'
import type { Page } from './page.ts'

/** The user of the console. */
export interface Viewer {
  readonly name: string
  /** True if the user signed in with a token, and can sign out. */
  readonly byToken: boolean
}

/** Navigation links, by the first path part below `/ui`. */
const places: readonly (readonly [path: string, label: string])[] = [
  ['', 'Overview'],
  ['nodes', 'Nodes'],
  ['reports', 'Reports'],
  ['deploys', 'Deploys'],
  ['rollouts', 'Rollouts'],
  ['diff', 'Compare'],
  ['exported', 'Exported'],
  ['query', 'Query'],
  ['radiator', 'Radiator'],
]

/** Builds the HTML document of a page. */
export function renderDocument(page: Page, assets: AssetSet, here: string, viewer: Viewer | undefined): string {
  const { title, body, modules = [], refresh, bare } = page
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Plumbline</title>
<link rel="icon" href="${assets.address('plumb.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.address('style.css')}">
${modules.includes('charts.js') && html`<link rel="stylesheet" href="${assets.address('uplot.css')}">`}
${['times.js', ...modules].map((name) => html`<script type="module" src="${assets.address(name)}"><\/script>`)}
</head>
<body class="${bare ? 'bare' : 'framed'}">
${!bare && renderHeader(assets, here, viewer)}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`.toString()
  return refresh === undefined ? document : addRefresh(document, refresh)
}

/**
 * Adds a reload to a page. With JavaScript, a module reloads it and keeps the focus. The template language does not allow
 * values in this attribute, so the number is inserted here.
 */
function addRefresh(document: string, seconds: number): string {
  const meta = `<meta http-equiv="refresh" content="${Math.trunc(seconds)}">`
  return document.replace('<title>', () => `${seconds === 0 ? meta : `<noscript>${meta}</noscript>`}\n<title>`)
}

function renderHeader(assets: AssetSet, here: string, viewer: Viewer | undefined): Html {
  return html`<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${createPageAddress([''])}"><img src="${assets.address('plumb.svg')}" alt="" width="22" height="22"> Plumbline</a>
${viewer && html`<nav aria-label="Pages"><ul>${places.map((place) => renderNavigationItem(place, here))}</ul></nav>`}
${viewer && renderViewer(viewer)}
</header>`
}

function renderNavigationItem([path, label]: readonly [string, string], here: string): Html {
  const address = createPageAddress([path])
  if (path !== here) return html`<li><a href="${address}">${label}</a></li>`
  return html`<li><a href="${address}" aria-current="page">${label}</a></li>`
}

function renderViewer({ name, byToken }: Viewer): Html {
  if (!byToken) return html`<p class="viewer" title="Signed in by certificate">${name}</p>`
  return html`<form class="viewer" method="post" action="${createPageAddress(['sign-out'])}"><span title="Signed in by token">${name}</span>
<button class="quiet">Sign out</button></form>`
}
