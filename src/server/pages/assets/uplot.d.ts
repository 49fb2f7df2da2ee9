// The library of charts has this name for pages: `assets.ts`.
export { default } from 'uplot'
