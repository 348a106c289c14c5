export { default } from 'assert/'
