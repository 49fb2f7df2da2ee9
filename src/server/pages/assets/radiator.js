// Updates the figures of the radiator without reloading the page, and keeps the focus on the focused link.

const radiator = document.querySelector('.radiator')
const seconds = Number(radiator?.getAttribute('data-refresh'))

async function refresh() {
  const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => undefined)
  // The session has ended: a reload shows the sign-in page.
  if (answer?.redirected) return location.reload()
  document.body.classList.toggle('stale', !answer?.ok)
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const focused = document.activeElement?.getAttribute('href')
  const parts = fresh.querySelector('.radiator')?.childNodes
  if (parts) document.querySelector('.radiator')?.replaceChildren(...parts)
  const again = [...document.querySelectorAll('.radiator a')].find((each) => each.getAttribute('href') === focused)
  if (again instanceof HTMLElement) again.focus()
}

if (seconds > 0) setInterval(refresh, seconds * 1000)
