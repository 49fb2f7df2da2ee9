import { addressOf, html } from '../../base/text/html.ts'
import type { Page } from './page.ts'

/** The page for what is not there. */
export function notFound(path: string): Page {
  const body = html`<h1>Nothing here</h1>
<p>There is no page <code>${path}</code>. <a href="${addressOf([''])}">Go to the overview</a>.</p>`
  return { title: 'Nothing here', body, status: 404 }
}

/** The page for those who may not. */
export function forbidden(name: string): Page {
  const body = html`<h1>Not for this certificate</h1>
<p>The certificate of <code>${name}</code> may not look at this console. It is open to administrators: to certificates
with the extension <code>pp_cli_auth</code>, to those whom <code>auth.conf</code> names, and to tokens.</p>`
  return { title: 'Not allowed', body, status: 403 }
}

/** The page for an answer that the store refused or could not give. */
export function troubled(message: string, status: 400 | 500 | 503): Page {
  const said = status === 400 ? 'The store does not understand that' : 'The store could not answer'
  const body = html`<h1>${said}</h1><pre class="problem" role="alert">${message}</pre>`
  return { title: said, body, status }
}
