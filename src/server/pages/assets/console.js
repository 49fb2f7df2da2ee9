// The query editor: completion, Ctrl+Enter to run the query, and queries saved in this browser.
import { suggestionsFor, wordBefore } from './completion.js'

const form = document.querySelector('form.console')
const area = document.querySelector('#q')
const list = document.querySelector('#suggestions')
const status = document.querySelector('#suggested')
if (form instanceof HTMLFormElement && area instanceof HTMLTextAreaElement && list instanceof HTMLElement && status) {
  complete(form, area, list, status)
  save(area)
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLTextAreaElement} area
 * @param {HTMLElement} list
 * @param {Element} status
 */
async function complete(form, area, list, status) {
  area.setAttribute('aria-autocomplete', 'list')
  area.setAttribute('aria-controls', list.id)
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.requestSubmit()
    }
  })
  const answer = await fetch(form.dataset['words'] ?? '', { credentials: 'same-origin' })
  if (!answer.ok) return
  /** @type {import('./completion.js').Words} */
  const words = await answer.json()
  let chosen = -1

  const before = () => area.value.slice(0, area.selectionStart)
  const close = () => {
    list.hidden = true
    chosen = -1
    area.removeAttribute('aria-activedescendant')
    status.textContent = ''
  }
  const open = () => {
    const suggestions = suggestionsFor(before(), words)
    if (suggestions.length === 0) return close()
    list.replaceChildren(...suggestions.map(option))
    list.hidden = false
    status.textContent = `${suggestions.length} suggestions`
    choose(0)
  }
  /** @param {number} at */
  const choose = (at) => {
    const options = [...list.children]
    chosen = (at + options.length) % options.length
    for (const [index, each] of options.entries()) each.setAttribute('aria-selected', String(index === chosen))
    options[chosen]?.scrollIntoView({ block: 'nearest' })
    area.setAttribute('aria-activedescendant', `suggestion-${chosen}`)
  }
  const take = () => {
    const text = list.children[chosen]?.getAttribute('data-text')
    if (text === null || text === undefined) return
    const start = area.selectionStart - wordBefore(before()).length
    area.setRangeText(text, start, area.selectionStart, 'end')
    close()
  }

  area.addEventListener('input', () => (/\w$/.test(before()) ? open() : close()))
  area.addEventListener('blur', close)
  area.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      return open()
    }
    if (list.hidden || event.ctrlKey || event.metaKey) return
    const does = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => choose(chosen + 1),
      ArrowUp: () => choose(chosen - 1),
      Enter: take,
      Tab: take,
      Escape: close,
    })[event.key]
    if (!does) return
    event.preventDefault()
    does()
  })
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const item = event.target instanceof Element ? event.target.closest('li') : null
    if (!item) return
    choose([...list.children].indexOf(item))
    take()
  })
}

/** @param {import('./completion.js').Suggestion} suggestion @param {number} at */
function option({ text, kind }, at) {
  const item = document.createElement('li')
  item.id = `suggestion-${at}`
  item.setAttribute('role', 'option')
  item.setAttribute('data-text', text)
  const what = document.createElement('span')
  what.textContent = kind
  item.append(text, what)
  return item
}

/** Saves queries in this browser, by name. @param {HTMLTextAreaElement} area */
function save(area) {
  const key = 'plumbline queries'
  /** @returns {Record<string, string>} */
  const kept = () => JSON.parse(localStorage.getItem(key) ?? '{}')
  const section = document.querySelector('.saved')
  const place = document.querySelector('.saving')
  if (!(section instanceof HTMLElement) || !place) return

  const show = () => {
    const queries = Object.entries(kept())
    section.hidden = queries.length === 0
    section.querySelector('ul')?.replaceChildren(...queries.map(([name, text]) => item(name, text)))
  }
  /** @param {string} name @param {string} text */
  const item = (name, text) => {
    const link = document.createElement('a')
    link.href = `?${new URLSearchParams({ q: text })}`
    link.textContent = name
    const remove = document.createElement('button')
    remove.type = 'button'
    remove.className = 'quiet'
    remove.textContent = 'Remove'
    remove.setAttribute('aria-label', `Remove ${name}`)
    remove.addEventListener('click', () => {
      const { [name]: _, ...rest } = kept()
      localStorage.setItem(key, JSON.stringify(rest))
      show()
    })
    const entry = document.createElement('li')
    entry.append(link, remove)
    return entry
  }

  const name = document.createElement('input')
  name.placeholder = 'save as'
  name.setAttribute('aria-label', 'Name of the saved query')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = 'Save'
  const keep = () => {
    if (name.value.trim() === '' || area.value.trim() === '') return
    localStorage.setItem(key, JSON.stringify({ ...kept(), [name.value.trim()]: area.value }))
    name.value = ''
    show()
  }
  button.addEventListener('click', keep)
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    keep()
  })
  place.append(name, button)
  show()
}
