import { createPageAddress, html } from '../../base/text/html.ts'
import type { Page } from './page.ts'

/** The sign-in page; `to` is the page to open afterwards. */
export function renderSignInPage(to: string, problem?: string): Page {
  const body = html`<div class="sign-in"><h1>Sign in</h1>
${problem !== undefined && html`<p class="notice" role="alert" id="problem">${problem}</p>`}
<p>Sign in with a token (<code>plumb token create NAME</code>), or use a browser with a client certificate that has the
extension <code>pp_cli_auth</code>.</p>
<form method="post" action="${createPageAddress(['sign-in'])}">
<input type="hidden" name="to" value="${to}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form></div>`
  return { title: 'Sign in', body, ...(problem !== undefined && { status: 403 as const }) }
}

/** The page for a link from another site. It reloads itself, because the browser sends the cookie only for same-site requests. */
export function renderOnwardPage(): Page {
  const body = html`<h1>One moment</h1><p>If nothing happens, <a href="${createPageAddress(['sign-in'])}">sign in</a>.</p>`
  return { title: 'One moment', body, refresh: 0 }
}
