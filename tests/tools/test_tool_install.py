"""uv is told what pip was told."""

import install


def test_what_pip_was_told_is_said_to_uv():
    said = install.variables_of_uv(
        "global.cert='/etc/certificates.pem'\n"
        "global.extra-index-url='https://one.example/simple https://two.example/simple'\n"
        "global.find-links='wheels\\nmore-wheels'\n"
        "global.disable-pip-version-check='1'\n"
    )
    assert said == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "SSL_CERT_FILE": "/etc/certificates.pem",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_FIND_LINKS": "wheels,more-wheels",
    }


def test_a_variable_of_pip_wins_over_its_files_and_install_over_global():
    lines = [
        ":env:.index-url='https://variable.example/'",
        "global.index-url='https://file.example/'",
        "global.timeout='10'",
        "install.timeout='20'",
    ]
    said = install.variables_of_uv("\n".join(lines))
    assert (said["UV_DEFAULT_INDEX"], said["UV_HTTP_TIMEOUT"]) == ("https://variable.example/", "20")


def test_without_a_configuration_only_the_order_of_indexes_is_said():
    assert install.variables_of_uv("") == {"UV_INDEX_STRATEGY": "unsafe-best-match"}
