export { default } from 'path-browserify'
