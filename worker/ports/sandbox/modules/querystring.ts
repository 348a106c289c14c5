export { default } from 'querystring-es3'
