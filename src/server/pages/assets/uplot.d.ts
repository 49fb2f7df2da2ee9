// Pages load the chart library under this name; see `assets.ts`.
export { default } from 'uplot'
