import { createPageAddress, html } from '../../base/text/html.ts'
import type { Page } from './page.ts'

/** The page for an unknown path. */
export function renderNotFound(path: string): Page {
  const body = html`<h1>Page not found</h1>
<p>The page <code>${path}</code> does not exist. <a href="${createPageAddress([''])}">Go to the overview</a>.</p>`
  return { title: 'Page not found', body, status: 404 }
}

/** The page for clients without permission. */
export function renderForbidden(name: string): Page {
  const body = html`<h1>Access denied</h1>
<p><code>${name}</code> has no access to this console. Access requires a certificate with the extension
<code>pp_cli_auth</code>, a token, or a rule in <code>auth.conf</code>.</p>`
  return { title: 'Access denied', body, status: 403 }
}

/** The page for a query that the store rejected or could not answer. */
export function renderQueryError(message: string, status: 400 | 500 | 503): Page {
  const said = status === 400 ? 'The store rejected the query' : 'The store could not answer the query'
  const body = html`<h1>${said}</h1><pre class="problem" role="alert">${message}</pre>`
  return { title: said, body, status }
}
