// Updates the part of a page with `data-refresh` without reloading the page. Keeps the focus on the focused link, and
// opened details open.

const part = document.querySelector('[data-refresh]')
const seconds = Number(part?.getAttribute('data-refresh'))

/** @param {Element} details */
const labelOf = (details) => details.querySelector('summary')?.textContent

async function refresh() {
  const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => undefined)
  // The session has ended: a reload shows the sign-in page.
  if (answer?.redirected) return location.reload()
  document.body.classList.toggle('stale', !answer?.ok)
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const focused = document.activeElement?.getAttribute('href')
  const opened = [...document.querySelectorAll('[data-refresh] details[open]')].map(labelOf)
  const next = fresh.querySelector('[data-refresh]')
  // The page has reached a state in which it does not change.
  if (!next) return location.reload()
  document.querySelector('[data-refresh]')?.replaceChildren(...next.childNodes)
  for (const details of document.querySelectorAll('[data-refresh] details'))
    if (opened.includes(labelOf(details))) details.setAttribute('open', '')
  const again = [...document.querySelectorAll('[data-refresh] a')].find((each) => each.getAttribute('href') === focused)
  if (again instanceof HTMLElement) again.focus()
}

if (seconds > 0) setInterval(refresh, seconds * 1000)
